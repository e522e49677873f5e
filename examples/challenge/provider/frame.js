// The challenge itself: a button. Real providers look more closely.

document.querySelector('button').addEventListener('click', async () => {
  const response = await fetch(`/token${location.search}`, { method: 'POST' });
  window.parent.postMessage({ token: await response.text() }, '*');
});
