// The address of the BFF, as the element finds it by its script.

import { expect, it } from 'vitest';
import { toScriptBff } from '../../../widget/app/bff-origin.ts';

it.each([
  ['https://apply.example/widget/funding-application.js', 'https://apply.example'],
  ['https://apply.example/widget/0.1.0-a/chunks/form.js', 'https://apply.example'],
  ['https://www.example/funding/widget/0.1.0-a/x.js?v=1#a', 'https://www.example/funding'],
  ['https://www.example/widget/a/widget/x.js', 'https://www.example/widget/a'],
  ['https://www.example/assets/index-a.js', 'https://www.example'],
  ['https://www.example/assets/widget.js', 'https://www.example'],
])('the script %s belongs to the BFF at %s', (scriptUrl, bffUrl) => {
  expect(toScriptBff(scriptUrl)).toBe(bffUrl);
});
