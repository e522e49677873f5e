// An inspection child that breaks before it is ready.

throw new Error('Its program is broken');
