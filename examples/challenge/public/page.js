// Shows the provider's challenge in a dialog when the form needs a token.

const form = document.querySelector('funding-application');
const dialog = document.querySelector('#challenge');
const place = document.querySelector('#challenge-place');

form.challenge = (siteKey) =>
  new Promise((resolve) => {
    // Turnstile and hCaptcha have the same API.
    const provider = window.turnstile ?? window.hcaptcha;
    if (!provider)
      throw new Error(
        "The provider's script is not loaded. Check the network and the Content-Security-Policy.",
      );
    // Each attempt needs a new element, because a token is valid once.
    const box = document.createElement('div');
    place.replaceChildren(box);
    function end(token) {
      resolve(token);
      dialog.close();
    }
    // An empty token says that the challenge was not solved.
    provider.render(box, {
      sitekey: siteKey,
      callback: end,
      'error-callback': () => end(''),
    });
    // Cancel and Escape close the dialog. After a token, this has no effect.
    dialog.addEventListener('close', () => end(''), { once: true });
    dialog.showModal();
  });
