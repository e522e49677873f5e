// Types as a person does, key by key, through the browser's own driver.

import { sendKeys } from '@web/test-runner-commands';

/** Each key on its own: the driver of WebKit drops a key that follows itself in one go. */
export async function typeKeys(text: string): Promise<void> {
  for (const type of text) await sendKeys({ type });
}

export async function pressKey(press: string): Promise<void> {
  await sendKeys({ press });
}
