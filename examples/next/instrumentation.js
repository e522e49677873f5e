// Next calls `register` once, when the server starts.

export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs') await import('./start-bff.js');
}
