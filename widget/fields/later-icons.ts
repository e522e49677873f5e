// The icons that only steps after the submission show.

import { renderIcon } from './icons.ts';

export const laterIcons = {
  document: renderIcon('M7 3h7l5 5v13H7zM14 3v5h5'),
  newTab: renderIcon('M10 5H5v14h14v-5M14 5h5v5M19 5l-8 8'),
  image: renderIcon('M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4'),
} as const;
