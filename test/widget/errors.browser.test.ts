// The focus after Continue on each step without answers: first the error summary, then each invalid field.

import { expect } from '@open-wc/testing';
import { createConfiguration } from '../support/configuration.ts';
import { requirableFields } from '../../shared/application/lists.ts';
import { formSteps } from '../../widget/app/navigation.ts';
import { FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import { fillUpTo, mountWidget, press, type Mounted } from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

function inlineErrorsOf({ root }: Mounted): readonly (string | undefined)[] {
  return [...root.querySelectorAll('.error > span')].map((error) =>
    error.textContent?.replace('Error:', '').trim(),
  );
}

for (const step of formSteps) {
  describe(`Continue without answers on the step ${step}`, () => {
    it('moves the focus to an error summary with links to the fields', async () => {
      const api = new FakeFundingApi();
      // All fields that a partner can require.
      const requiredFields = [...requirableFields];
      api.configuration = ok(createConfiguration({ requiredFields }));
      const mounted = await mountWidget(api);
      await fillUpTo(mounted, step);
      await press(mounted, step === 'review' ? 'Submit application' : 'Continue');
      const { root } = mounted;
      expect(root.activeElement?.id).to.equal('error-summary');
      const links = [...root.querySelectorAll<HTMLAnchorElement>('#error-summary a')];
      expect(links.length).to.be.greaterThan(1);
      // Screen readers read the links with the focused summary.
      const description = root.activeElement?.getAttribute('aria-describedby') ?? '';
      expect([...root.querySelectorAll(`#${description} a`)]).to.deep.equal(links);
      expect(links.map(({ textContent }) => textContent?.trim())).to.deep.equal(
        inlineErrorsOf(mounted),
      );
      for (const link of links) {
        link.click();
        await waitUntil(() => root.activeElement?.matches('input, select'), link.textContent ?? '');
        const field = root.activeElement!;
        // ARIA does not allow the attribute on a radio button. Its group has the description.
        const isRadio = field.matches('[type=radio]');
        expect(field.getAttribute('aria-invalid')).to.equal(isRadio ? null : 'true');
        const owner = isRadio ? field.closest('fieldset')! : field;
        const described = (owner.getAttribute('aria-describedby') ?? '').split(' ');
        const own = described.map((id) => root.querySelector(`#${id}`)?.textContent ?? '');
        expect(own.join(' ')).to.include(link.textContent?.trim());
        link.focus();
      }
    });
  });
}
