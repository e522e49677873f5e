// Stands in for the inspection in a process of its own: the path of the file says what happens.

process.on('message', ({ path }: { path: string }) => {
  if (path === 'ends') process.exit(3);
  if (path !== 'hangs') process.send?.({ verdict: 'accept', ms: 1 });
});
process.on('disconnect', () => process.exit());
