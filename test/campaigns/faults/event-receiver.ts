// Receives the webhooks of a campaign, verifies them, and records what arrived. It refuses some, and loses some answers.

import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { type WebhookEvent, webhookEventSchema } from '../../../shared/api/webhook-event.ts';
import { listen } from '../../support/servers.ts';

export const eventSecret = `whsec_${Buffer.from('a secret of the campaigns, 32 b.').toString('base64')}`;

/** An event that the receiver took, in the order of arrival. */
export interface ArrivedEvent {
  readonly id: string;
  readonly body: string;
  readonly event: WebhookEvent;
}

export async function startEventReceiver(random: () => number, faultShare: number) {
  const arrived: ArrivedEvent[] = [];
  const forged: string[] = [];
  const webhook = new Webhook(eventSecret);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      if (random() < faultShare) {
        response.writeHead(503).end();
        return;
      }
      try {
        const event = webhookEventSchema.parse(webhook.verify(body, headers));
        arrived.push({ id: headers['webhook-id'] ?? '', body, event });
      } catch {
        forged.push(body);
      }
      if (random() < faultShare) request.socket.destroy();
      else response.writeHead(204).end();
    });
  });
  const { origin, close } = await listen(server);
  return { url: `${origin}/webhook`, arrived, forged, close };
}
