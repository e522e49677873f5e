// The complete message catalogs.

import en from '../../widget/i18n/en.json' with { type: 'json' };
import enAfter from '../../widget/i18n/en-after.json' with { type: 'json' };
import enForm from '../../widget/i18n/en-form.json' with { type: 'json' };
import enHandoff from '../../widget/i18n/en-handoff.json' with { type: 'json' };
import enPhone from '../../widget/i18n/en-phone.json' with { type: 'json' };
import es from '../../widget/i18n/es.json' with { type: 'json' };

export const english = { ...en, ...enForm, ...enAfter, ...enHandoff, ...enPhone };
export const spanish: typeof english = es;
/** The English catalogs, one for each lazy-loaded part. */
export const englishParts = { en, enForm, enAfter, enHandoff, enPhone };
