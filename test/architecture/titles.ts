import type { Source } from './sources.ts';

/**
 * First words of titles that leave their subject to the `describe`, or that invert the sentence. A verb that is also a noun
 * (`names`, `reads`, `changes`) is not in the list: it may be a subject.
 */
const FRAGMENT_STARTS = new Set(
  [
    'am is are was were be has have had do does did can cannot may might must shall should will would need needs',
    'accept accepts allow allows answer answers arrives ask asks begin begins bring brings carries come comes',
    'contains count creates deletes drop drops end ends explains fail fails fill fills find finds finish finishes fit',
    'fits follow follows get gets give gives go goes hold holds ignore ignores include includes keep keeps know knows',
    'lead leads leave leaves let lets list load loads log look loses lose made make makes mark marks meet merges',
    'migrates move moves never offers opens print prints reach reaches refuse refuses remembers removes replace',
    'replaces report restarts returns rotate run runs say says scales send sends show shows signs speaks stand stands',
    'start starts stay stays stop stops store stores survive survives take takes tell tells turn turns use uses wait',
    'want wants warn warns watches work works write',
    'about after afterwards among as at before behind below beside between beyond by during for from in into of on over',
    'through to under until with within without',
    'and because but how if nor or since so than that though unless what when where which while who whose why',
    'he her his it its she their them these they this those',
  ].flatMap((row) => row.split(' ')),
);

// More does not fit on a line of a report.
const LONGEST = 90;

/** One sentence for each title that a reader of a report cannot understand without its `describe`, or that is too long. */
export function findTitleFaults(sources: Source[]): string[] {
  return sources.flatMap(({ path, titles }) => {
    const own = titles.map((title) => title.split(' › ').at(-1) ?? '');
    return [
      ...own.filter(isFragment).map((title) => `${path}: "${title}" is no whole sentence`),
      ...own.filter(isLong).map((title) => `${path}: "${title}" has more than ${LONGEST} letters`),
    ];
  });
}

// A placeholder counts as a word.
function isLong(title: string): boolean {
  return title.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'a value').length > LONGEST;
}

function isFragment(title: string): boolean {
  const words = title.replaceAll(/\$\{[^}]*\}/g, '`placeholder`').split(' ');
  const [first = ''] = words;
  return words.length < 3 || !/^[a-z'"`]/i.test(first) || FRAGMENT_STARTS.has(first);
}
