// An inspection child that fails before it is ready.

throw new Error('The program is broken');
