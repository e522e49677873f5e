// What is done to files as they are chosen: their names are read, and photos are made ready.

import type { Configuration } from '../../shared/api/configuration.ts';
import type { PreparedPhoto } from '../documents/prepare-photo.ts';
import { suggestCategory } from '../documents/suggest-category.ts';

/** Given by the step, so that the form need not load it. */
export interface Reception {
  /** The category a file's name speaks of; empty when it does not say. */
  readonly suggest: (name: string) => string;
  /** Never rejects: a photo that cannot be made ready is sent as it is. */
  readonly prepare: (photo: File) => Promise<PreparedPhoto>;
}

export function createReception(limits: Configuration['documents']): Reception {
  const ids = limits.categories.map(({ id }) => id);
  return {
    suggest: (name) => suggestCategory(name, ids),
    prepare: async (photo) => {
      try {
        const { preparePhoto } = await import('../documents/prepare-photo.ts');
        return await preparePhoto(photo, limits);
      } catch {
        // The module could not be loaded, or the browser lacks the memory.
        return { file: photo, keepsLocation: true };
      }
    },
  };
}
