import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import NotFound from './NotFound.vue';
import TabSet from './TabSet.vue';
import './theme.css';

// VitePress requires a default export.
// oxlint-disable-next-line import/no-default-export
export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': () => h(NotFound) }),
  enhanceApp: ({ app }) => void app.component('TabSet', TabSet),
} satisfies Theme;
