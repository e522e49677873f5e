// Shows the provider's challenge when the form asks for one, and gives the form the token.

const form = document.querySelector('funding-application');
const dialog = document.querySelector('#challenge');
const place = document.querySelector('#challenge-place');

form.challenge = (siteKey) =>
  new Promise((resolve, reject) => {
    // Turnstile and hCaptcha are called in the same way: window.turnstile, window.hcaptcha.
    const provider = window.turnstile ?? window.hcaptcha;
    if (!provider) throw new Error("The provider's script has not been loaded.");
    // Each attempt has an element of its own: a token can be used once.
    const box = document.createElement('div');
    place.replaceChildren(box);
    provider.render(box, {
      sitekey: siteKey,
      callback(token) {
        resolve(token);
        dialog.close();
      },
      'error-callback': () => reject(new Error('The challenge failed.')),
    });
    // Also by Escape. After a token it changes nothing any more.
    dialog.addEventListener('close', () => reject(new Error('Not now')), { once: true });
    dialog.showModal();
  });
