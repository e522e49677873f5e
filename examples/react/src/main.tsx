import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Funding } from './funding.tsx';

const prefill = { business: { name: 'Rosa’s Bakery LLC' } };

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <h1>Apply for funding</h1>
    <Funding
      prefill={prefill}
      onSubmitted={(reference) => console.info(`submitted ${reference}`)}
    />
  </StrictMode>,
);
