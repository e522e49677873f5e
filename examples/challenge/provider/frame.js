// The challenge is a button. Real providers check more than that.

document.querySelector('button').addEventListener('click', async () => {
  const response = await fetch(`/token${location.search}`, { method: 'POST' });
  window.parent.postMessage({ token: await response.text() }, '*');
});
