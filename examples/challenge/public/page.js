// Shows the provider's challenge in a dialog when the form needs a token.

const form = document.querySelector('funding-application');
const dialog = document.querySelector('#challenge');
const place = document.querySelector('#challenge-place');

form.challenge = (siteKey) =>
  new Promise((resolve, reject) => {
    // Turnstile and hCaptcha have the same API.
    const provider = window.turnstile ?? window.hcaptcha;
    if (!provider)
      throw new Error(
        "The provider's script is not loaded. Check the network and the Content-Security-Policy.",
      );
    // Each attempt needs a new element, because a token is valid once.
    const box = document.createElement('div');
    place.replaceChildren(box);
    provider.render(box, {
      sitekey: siteKey,
      callback(token) {
        resolve(token);
        dialog.close();
      },
      'error-callback': () => reject(new Error('The challenge failed')),
    });
    // Closing the dialog, also with Escape, cancels the challenge. After a token this has no effect.
    dialog.addEventListener('close', () => reject(new Error('The challenge was canceled')), {
      once: true,
    });
    dialog.showModal();
  });
