// Serves the page on PAGE_PORT (8080) and the stand-in provider on CHALLENGE_PORT (8083), with the BFF at BFF_PORT (8081).

import { serve } from '@hono/node-server';
import { createChallengePage } from './challenge-page.ts';
import { createStandInProvider } from './stand-in-provider.ts';

const { PAGE_PORT = '8080', CHALLENGE_PORT = '8083', BFF_PORT = '8081' } = process.env;
const providerUrl = `http://localhost:${CHALLENGE_PORT}`;

const provider = createStandInProvider({ siteKey: 'stand-in', secret: 'stand-in-secret' });
const page = createChallengePage({ bffUrl: `http://localhost:${BFF_PORT}`, providerUrl });

serve({ fetch: provider.fetch, port: Number(CHALLENGE_PORT) });
serve({ fetch: page.fetch, port: Number(PAGE_PORT) });
process.stdout.write(`The page with the challenge is at http://localhost:${PAGE_PORT}/\n`);
