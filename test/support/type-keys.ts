// Types text key by key through the browser's driver.

import { sendKeys } from '@web/test-runner-commands';

/** Sends each key separately, because WebKit's driver drops repeated keys in one command. */
export async function typeKeys(text: string): Promise<void> {
  for (const type of text) await sendKeys({ type });
}

export async function pressKey(press: string): Promise<void> {
  await sendKeys({ press });
}
