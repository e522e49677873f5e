// The provider's script. `render` adds a frame with the challenge to an element.

const origin = new URL(document.currentScript.src).origin;

window.turnstile = {
  render(element, { sitekey, callback }) {
    const frame = document.createElement('iframe');
    frame.title = 'Challenge';
    frame.src = `${origin}/frame.html?sitekey=${encodeURIComponent(sitekey)}`;
    window.addEventListener('message', function handleMessage({ source, data }) {
      if (source !== frame.contentWindow) return;
      window.removeEventListener('message', handleMessage);
      callback(data.token);
    });
    element.append(frame);
  },
};
