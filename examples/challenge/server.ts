// Serves the page on PAGE_PORT (8080) and the mock provider on CHALLENGE_PORT (8083). The BFF runs on BFF_PORT (8081).

import { serve } from '@hono/node-server';
import { createChallengePage } from './challenge-page.ts';
import { createMockProvider } from './mock-provider.ts';

const { PAGE_PORT = '8080', CHALLENGE_PORT = '8083', BFF_PORT = '8081' } = process.env;
const providerUrl = `http://localhost:${CHALLENGE_PORT}`;

const provider = createMockProvider({ siteKey: 'mock-site-key', secret: 'mock-secret' });
const page = createChallengePage({ bffUrl: `http://localhost:${BFF_PORT}`, providerUrl });

serve({ fetch: provider.fetch, port: Number(CHALLENGE_PORT) });
serve({ fetch: page.fetch, port: Number(PAGE_PORT) });
process.stdout.write(`The page is at http://localhost:${PAGE_PORT}/\n`);
