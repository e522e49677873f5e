// An inspection child that starts, and never says that it is ready.

setInterval(() => undefined, 60_000);
