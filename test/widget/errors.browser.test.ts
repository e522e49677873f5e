// The focus contract of every step: an empty Continue leads to the summary, and from there to each field that is wrong.

import { expect, waitUntil } from '@open-wc/testing';
import { createConfiguration } from '../support/configuration.ts';
import { requirableFields } from '../../shared/application/lists.ts';
import { formSteps } from '../../widget/app/steps.ts';
import { FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import { fillUpTo, mountWidget, press, type Mounted } from '../support/mount-widget.ts';

function inlineErrorsOf({ root }: Mounted): readonly (string | undefined)[] {
  return [...root.querySelectorAll('.error > span')].map((error) =>
    error.textContent?.replace('Error:', '').trim(),
  );
}

for (const step of formSteps) {
  describe(`an empty Continue on the step ${step}`, () => {
    it('moves the focus to an error summary with links to the fields', async () => {
      const api = new FakeFundingApi();
      // As much as a partner may require.
      const requiredFields = [...requirableFields];
      api.configuration = ok(createConfiguration({ requiredFields }));
      const mounted = await mountWidget(api);
      await fillUpTo(mounted, step);
      await press(mounted, step === 'review' ? 'Submit application' : 'Continue');
      const { root } = mounted;
      expect(root.activeElement?.id).to.equal('error-summary');
      const links = [...root.querySelectorAll<HTMLAnchorElement>('#error-summary a')];
      expect(links.length).to.be.greaterThan(1);
      // Heard with the summary that takes the focus.
      const heard = root.activeElement?.getAttribute('aria-describedby') ?? '';
      expect([...root.querySelectorAll(`#${heard} a`)]).to.deep.equal(links);
      expect(links.map(({ textContent }) => textContent?.trim())).to.deep.equal(
        inlineErrorsOf(mounted),
      );
      for (const link of links) {
        link.click();
        await waitUntil(() => root.activeElement?.matches('input, select'), link.textContent ?? '');
        const field = root.activeElement!;
        expect(field.getAttribute('aria-invalid')).to.equal('true');
        const described = (field.getAttribute('aria-describedby') ?? '').split(' ');
        const own = described.map((id) => root.querySelector(`#${id}`)?.textContent ?? '');
        expect(own.join(' ')).to.include(link.textContent?.trim());
        link.focus();
      }
    });
  });
}
