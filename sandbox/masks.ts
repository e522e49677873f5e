// Masks of the personal data that the console shows only on request.

const secretFields = ['Ssn', 'TaxId', 'BirthDay'] as const;

type SecretField = (typeof secretFields)[number];

/** Also finds a field in another spelling, which a partner may send by mistake. */
export function toSecretField(name: string): SecretField | undefined {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  return secretFields.find((field) => field.toLowerCase() === plain);
}

/** Keeps the last four characters of a number, and nothing of a date. */
export function mask(field: SecretField, value: string): string {
  if (field === 'BirthDay' || value.length < 9) return '•••••••••';
  return `•••••${value.slice(-4)}`;
}

/** Masks the fields of a JSON text at any depth. Returns undefined for a text that is not JSON. */
export function maskJson(
  text: string,
  revealed: ReadonlySet<string> = new Set(),
): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) => {
      const field = toSecretField(name);
      if (!field || revealed.has(field) || value === null || value === undefined) return value;
      return mask(field, typeof value === 'string' ? value : JSON.stringify(value));
    });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
