// An inspection child that never reports ready.

setInterval(() => undefined, 60_000);
