import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import DecisionList from './DecisionList.vue';
import './theme.css';

// VitePress requires a default export.
// oxlint-disable-next-line import/no-default-export
export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('DecisionList', DecisionList),
} satisfies Theme;
