import { InvalidArgumentError } from 'commander';

const TIME = /^(?!0000)\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:?\d{2})$/;

/** Parses an option that is a time. Throws InvalidArgumentError. */
export function timeOption(text: string): string {
  if (!TIME.test(text) || Number.isNaN(Date.parse(text.replace(' ', 'T'))))
    throw new InvalidArgumentError(
      'It must be a time such as 2027-01-31T08:00:00Z or 2027-01-31T08:00:00+02:00.',
    );
  return text;
}

/** Parses an option that is a number of things to show. Throws InvalidArgumentError. */
export function limitOption(text: string): string {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return text;
}

/** Parses an option that is a number of lines of one page. Throws InvalidArgumentError. */
export function pageLimitOption(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new InvalidArgumentError('It must be from 1 to 1000.');
  return limit;
}
