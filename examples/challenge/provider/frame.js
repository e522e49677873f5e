// The challenge is a button. Real providers check more than that.

document.querySelector('button').addEventListener('click', () => void sendToken());

async function sendToken() {
  const response = await fetch(`/token${location.search}`, { method: 'POST' });
  window.parent.postMessage({ token: await response.text() }, '*');
}
