import { createReadStream } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { isJsonObject, parseLossless, stringifyLossless } from '../../../libs/validation/lossless.ts';
import type { Fields } from '../client/http.ts';
import { CommandError } from '../exit-codes.ts';
import { createDerivation, deriveKey, openText, sealText, type KeyDerivation } from './seal.ts';

/** A mount or a secret of an archive; `content` is what its line seals. */
export type ArchiveItem = { kind: 'mount' | 'secret'; mount: string; path: string; content: Fields };

const FORMAT = 'sealift-kv';
const FORMAT_VERSION = 1;
const CHECK = 'the passphrase is right';

/**
 * Writes items into a new file, one line each. Only names and the order are in the clear; they are bound to what is
 * sealed, so no line can be changed, moved or left out unnoticed, not even the last ones. Removes the file if it fails.
 */
export async function writeArchive(
  file: string,
  passphrase: string,
  items: AsyncIterable<ArchiveItem>,
): Promise<number> {
  const derivation = createDerivation();
  const key = await deriveKey(passphrase, derivation);
  const handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const reason = isThere ? 'it exists already; give another name, or remove it' : reasonOf(error);
    throw new CommandError('failed', `the file ${file} cannot be made: ${reason}`);
  });
  let order = 0;
  const write = (line: Fields): Promise<unknown> => handle.writeFile(`${stringifyLossless(line)}\n`);
  try {
    await write({
      format: FORMAT,
      version: FORMAT_VERSION,
      derivation,
      check: sealText(key, CHECK, headerBinding(derivation)),
    });
    for await (const { kind, mount, path, content } of items) {
      order += 1;
      const sealed = sealText(key, stringifyLossless(content), lineBinding(order, kind, mount, path));
      await write({ order, kind, mount, path, sealed });
    }
    await write({ end: true, lines: order, sealed: sealText(key, '', endBinding(order)) });
    await handle.sync();
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => undefined);
    await unlink(file).catch(() => undefined);
    throw error;
  }
  return order;
}

/** An archive whose passphrase is right. Each call of `read` reads the file anew, line by line, and checks all of it. */
export type Archive = { read: () => AsyncGenerator<ArchiveItem> };

/** Throws CommandError if the file is no archive or the passphrase is wrong. */
export async function openArchive(file: string, passphrase: string): Promise<Archive> {
  const header = await readHeader(file);
  const key = await deriveKey(passphrase, header.derivation);
  if (openText(key, header.check, headerBinding(header.derivation)) !== CHECK)
    throw new CommandError('denied', 'the passphrase is wrong, or the first line of the file was changed');
  return { read: () => readItems(file, key) };
}

async function* readItems(file: string, key: Buffer): AsyncGenerator<ArchiveItem> {
  let order = 0;
  let isComplete = false;
  let isHeader = true;
  for await (const line of readLines(file)) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    if (isComplete) throw damaged(`there is a line after the last one`);
    const fields = parseLine(line);
    if (fields['end'] === true) {
      if (openText(key, textIn(fields, 'sealed'), endBinding(order)) !== '')
        throw damaged(`the last line does not fit the ${order} lines before it`);
      isComplete = true;
      continue;
    }
    order += 1;
    yield openItem(fields, order, key);
  }
  if (!isComplete) throw damaged(`it ends after ${order} lines, without its last line`);
}

function openItem(fields: Fields, order: number, key: Buffer): ArchiveItem {
  const kind = fields['kind'] === 'mount' ? 'mount' : 'secret';
  const [mount, path] = [textIn(fields, 'mount'), textIn(fields, 'path')];
  const text = openText(key, textIn(fields, 'sealed'), lineBinding(order, kind, mount, path));
  const content: unknown = text === undefined ? undefined : parseLossless(text);
  if (!isJsonObject(content))
    throw damaged(`line ${order + 1} was changed, moved, or a line before it is missing`);
  return { kind, mount, path, content };
}

async function readHeader(file: string): Promise<{ derivation: KeyDerivation; check: string }> {
  for await (const line of readLines(file)) {
    const fields = parseLine(line);
    const { format, version, derivation } = fields;
    if (format !== FORMAT || !isJsonObject(derivation)) break;
    if (String(version) !== String(FORMAT_VERSION))
      throw new CommandError('failed', `the file ${file} was written by a newer version of this command`);
    const [n, r, p] = ['n', 'r', 'p'].map((name) => Number(derivation[name]));
    const salt = textIn(derivation, 'salt');
    return {
      derivation: { name: 'scrypt', n: n ?? 0, r: r ?? 0, p: p ?? 0, salt },
      check: textIn(fields, 'check'),
    };
  }
  throw new CommandError('failed', `the file ${file} was not written by \`sealift kv export\``);
}

async function* readLines(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, 'utf8');
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) if (line !== '') yield line;
  } catch (error) {
    throw new CommandError('failed', `the file ${file} cannot be read: ${reasonOf(error)}`);
  } finally {
    input.destroy();
  }
}

function parseLine(line: string): Fields {
  try {
    const fields = parseLossless(line);
    return isJsonObject(fields) ? fields : {};
  } catch {
    return {};
  }
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

function headerBinding({ n, r, p, salt }: KeyDerivation): unknown[] {
  return [FORMAT, FORMAT_VERSION, 'header', n, r, p, salt];
}

function lineBinding(order: number, kind: string, mount: string, path: string): unknown[] {
  return [FORMAT, FORMAT_VERSION, kind, order, mount, path];
}

function endBinding(lines: number): unknown[] {
  return [FORMAT, FORMAT_VERSION, 'end', lines];
}

function damaged(what: string): CommandError {
  return new CommandError('failed', `the file is damaged: ${what}`);
}

function reasonOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
