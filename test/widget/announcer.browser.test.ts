// What is said aloud: everything that is said in one turn, and nothing of the turn before.

import { expect, waitUntil } from '@open-wc/testing';
import { chooseFiles, createFile, goTo, mountAfter } from '../support/mount-widget.ts';

describe('what is said aloud', () => {
  it('is said of every file of one choice, and of the next choice alone', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'documents');
    const said = () => mounted.root.querySelector('#announcement')?.textContent ?? '';
    await chooseFiles(mounted, [
      createFile('one.exe', 'x/y'),
      createFile('two.exe', 'x/y'),
      createFile('three.exe', 'x/y'),
    ]);
    await waitUntil(() => said().includes('three.exe'));
    expect(said()).to.match(/one\.exe.*two\.exe.*three\.exe/);
    await new Promise((resolve) => setTimeout(resolve));
    await chooseFiles(mounted, [createFile('four.exe', 'x/y')]);
    await waitUntil(() => said().includes('four.exe'));
    expect(said()).to.not.include('three.exe');
  });
});
