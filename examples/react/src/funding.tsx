import 'funding-application/react';
import type { FundingPrefill } from 'funding-application';

interface FundingProps {
  readonly prefill?: FundingPrefill;
  readonly onSubmitted: (reference: string) => void;
}

export function Funding({ prefill, onSubmitted }: FundingProps) {
  return (
    <funding-application
      bff-url={import.meta.env.VITE_BFF_URL}
      prefill={prefill}
      onfunding-submitted={({ reference }) => onSubmitted(reference)}
    >
      Prefer to talk? Call 717-555-0148.
    </funding-application>
  );
}
