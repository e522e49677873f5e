// Preloaded into a BFF process: a message with milliseconds advances its clock. The process answers each message.

const now = Date.now;
let aheadMs = 0;

Date.now = () => now() + aheadMs;

process.on('message', (ms) => {
  aheadMs += Number(ms);
  process.send?.(aheadMs);
});

// The channel must not keep the process alive during its shutdown.
process.channel?.unref();
