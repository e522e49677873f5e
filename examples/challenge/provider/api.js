// What a provider's script gives to the page: `render` puts the challenge into an element, in a frame of the provider's own.

const origin = new URL(document.currentScript.src).origin;

window.turnstile = {
  render(element, { sitekey, callback }) {
    const frame = document.createElement('iframe');
    frame.title = 'Challenge';
    frame.src = `${origin}/frame.html?sitekey=${encodeURIComponent(sitekey)}`;
    window.addEventListener('message', function take({ source, data }) {
      if (source !== frame.contentWindow) return;
      window.removeEventListener('message', take);
      callback(data.token);
    });
    element.append(frame);
  },
};
