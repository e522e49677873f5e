// The title of the tab that the reader has chosen last, for example "Vue".

import { ref } from 'vue';

export const chosenTab = ref('');
