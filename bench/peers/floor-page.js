const form = document.querySelector('form');
const steps = [...form.querySelectorAll('fieldset')];
const back = form.querySelector('[type=button]');
const next = form.querySelector('[type=submit]');
const progress = document.querySelector('#progress');
let step = 0;

function show(index) {
  steps[step].hidden = true;
  step = index;
  steps[step].hidden = false;
  back.hidden = step === 0;
  next.textContent = step === steps.length - 1 ? 'Submit application' : 'Continue';
  progress.textContent = `Step ${step + 1} of ${steps.length}`;
  steps[step].querySelector('legend').focus();
}

async function send() {
  const answers = Object.fromEntries(new FormData(form));
  const file = answers.file;
  delete answers.file;
  next.disabled = true;
  try {
    const post = (path, body) => fetch(path, { method: 'POST', body });
    const responses = [await post('application', JSON.stringify(answers))];
    responses.push(await post(`documents?category=${answers.category}`, file));
    const isSent = responses.every(({ ok }) => ok);
    progress.textContent = isSent ? 'We received your application.' : 'Try again.';
  } catch {
    progress.textContent = 'You are offline.';
  }
  next.disabled = false;
}

// The steps that are hidden are not validated.
form.noValidate = true;
back.addEventListener('click', () => show(step - 1));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const invalid = [...steps[step].elements].find((field) => !field.checkValidity());
  if (invalid) invalid.reportValidity();
  else if (step < steps.length - 1) show(step + 1);
  else void send();
});
