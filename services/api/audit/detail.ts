import { maskTokens } from './told-path.ts';
import { maskUrls, sha256, tellText } from '../../../libs/validation/told.ts';

// A cell of a spreadsheet ends at 32,767 characters, and nobody shall fill the table with few requests.
const MOST = 16 * 1024;
const LONGEST_NAME = 300;
const FEW = 20;

type Parts = Record<string, unknown>;

/**
 * A detail as the trail keeps it: without the credentials of URLs, and with at most 16 KiB of JSON. What is beyond is
 * cut, with a count and a fingerprint of the whole.
 */
export function fitDetail(detail: Parts): Parts {
  const clean = cleaned(detail) as Parts;
  return sizeOf(clean) <= MOST ? clean : cutObject(clean, MOST - 100);
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return writable(maskTokens(maskUrls(value)));
  if (Array.isArray(value)) return value.map(cleaned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [nameOf(name), cleaned(part)]));
}

// Postgres refuses both in JSON, and with them the whole batch of entries.
function writable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function nameOf(name: string): string {
  const written = writable(maskTokens(name));
  if (written.length <= LONGEST_NAME) return written;
  return `${written.slice(0, LONGEST_NAME)}… (${written.length} letters, sha256:${sha256(name)})`;
}

function cut(value: unknown, most: number): unknown {
  if (sizeOf(value) <= most) return value;
  if (Array.isArray(value)) return cutList(value, most);
  if (value !== null && typeof value === 'object') return cutObject(value as Parts, most);
  // A letter can need six in JSON.
  return tellText(String(value), Math.max(0, Math.floor((most - 130) / 6)));
}

function cutList(list: unknown[], most: number): Parts {
  let left = most - 130;
  const end = list.findIndex((part) => (left -= sizeOf(part) + 1) < 0);
  return {
    told: list.slice(0, end),
    more: list.length - Math.max(end, 0),
    sha256: sha256(JSON.stringify(list)),
  };
}

// Of few parts, each gets its share, and what small ones leave goes to larger ones. Of many, the first are kept.
function cutObject(parts: Parts, most: number): Parts {
  const entries = Object.entries(parts);
  if (entries.length <= FEW) return Object.fromEntries(shared(entries, most));
  let left = most - 130;
  const end = entries.findIndex(([name, part]) => (left -= sizeOf(name) + sizeOf(part) + 2) < 0);
  if (end === -1) return parts;
  return {
    ...Object.fromEntries(entries.slice(0, end)),
    '…': { more: entries.length - end, sha256: sha256(JSON.stringify(parts)) },
  };
}

function shared(entries: [string, unknown][], most: number): [string, unknown][] {
  let left = most;
  const bySize = entries.toSorted(([, one], [, other]) => sizeOf(one) - sizeOf(other));
  const fitted = new Map(
    bySize.map(([name, part], index) => {
      const share = Math.floor(left / (bySize.length - index)) - sizeOf(name) - 2;
      const kept = cut(part, share);
      left -= sizeOf(name) + sizeOf(kept) + 2;
      return [name, kept];
    }),
  );
  return entries.map(([name]) => [name, fitted.get(name)]);
}

function sizeOf(value: unknown): number {
  return (JSON.stringify(value) ?? '').length;
}
