// Reads from the sandbox which data the funding service received.

export interface LeadView {
  readonly applicationId: string;
  readonly lead: Readonly<Record<string, unknown>>;
  readonly contactPreference: string;
}

export interface DocumentView {
  readonly documentId: string;
  readonly applicationId: string;
  readonly name: string;
  readonly ext: string;
  readonly category: string;
  readonly bytes: number;
}

export interface AssetReportView {
  readonly assetReportId: string;
  readonly applicationId: string;
}

export interface SandboxView {
  leads(): Promise<LeadView[]>;
  documents(): Promise<DocumentView[]>;
  contentOf(document: DocumentView): Promise<Buffer>;
  assetReports(): Promise<AssetReportView[]>;
  reportTextOf(report: AssetReportView): Promise<string>;
  markDoNotContact(lead: LeadView): Promise<void>;
  plan(fault: object): Promise<void>;
  /** Planned faults that no call has met yet. */
  plannedFaults(): Promise<object[]>;
  advanceClock(ms: number): Promise<void>;
  /** Deletes all received data. */
  reset(): Promise<void>;
}

export function createSandboxView(sandboxUrl: string): SandboxView {
  const base = `${sandboxUrl}/_sandbox`;
  const getJson = async (path: string): Promise<never> => {
    const answer = await fetch(base + path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return (await answer.json()) as never;
  };
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  return {
    leads: async () => (await getJson('/leads'))['leads'],
    documents: async () => (await getJson('/documents'))['documents'],
    contentOf: async ({ documentId }) => {
      const answer = await fetch(`${base}/documents/${documentId}/content`);
      return Buffer.from(await answer.arrayBuffer());
    },
    assetReports: async () => (await getJson('/asset-reports'))['assetReports'],
    reportTextOf: async ({ assetReportId }) =>
      (await fetch(`${base}/asset-reports/${assetReportId}/content`)).text(),
    markDoNotContact: ({ applicationId }) => post(`/leads/${applicationId}/do-not-contact`, {}),
    plan: (fault) => post('/faults', fault),
    plannedFaults: async () => (await getJson('/faults'))['faults'],
    advanceClock: (ms) => post('/clock', { advanceMs: ms }),
    reset: () => post('/reset', {}),
  };
}
