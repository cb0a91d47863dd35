const BREAKING: [RegExp, string][] = [
  [/\bDROP (?:TABLE|VIEW|TYPE|SEQUENCE|FUNCTION) [^;]*/i, 'takes something away'],
  [/\bDROP COLUMN [^,;]*/i, 'takes a column away'],
  [/\bRENAME\b[^;]*/i, 'gives something another name'],
  [/\bALTER COLUMN \w+ (?:SET DATA )?TYPE\b[^,;]*/i, 'changes the type of a column'],
  [/\bALTER COLUMN \w+ SET NOT NULL/i, 'demands a value'],
  [/\bALTER COLUMN \w+ DROP DEFAULT/i, 'takes a default away'],
  [
    /\bADD (?:CONSTRAINT|CHECK|UNIQUE|PRIMARY KEY|FOREIGN KEY|EXCLUDE)\b[^,;]*/i,
    'demands something of all rows',
  ],
];
const ADDED_COLUMN = /\bADD COLUMN\b(?:[^,;(]|\([^)]*\))*/gi;
const UNIQUE_INDEX = /\bCREATE UNIQUE INDEX\b[^;]*?\bON (\w+)/gi;

/**
 * Why statements of the previous version may fail after this SQL has run: one sentence each, none if they keep working. It
 * looks at the form of statements and does not know what the program does with them.
 */
export function findBreakingSql(sql: string): string[] {
  const text = sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ');
  const created = new Set([...text.matchAll(/\bCREATE TABLE (\w+)/gi)].map(([, table]) => table));
  const demanding = [...text.matchAll(ADDED_COLUMN)]
    .map(([column]) => column.trim())
    .filter((column) => /\bNOT NULL\b/i.test(column) && !/\b(?:DEFAULT|GENERATED)\b/i.test(column));
  const unique = [...text.matchAll(UNIQUE_INDEX)].filter(([, table]) => !created.has(table));
  return [
    ...BREAKING.flatMap(([pattern, why]) => {
      const [found] = pattern.exec(text) ?? [];
      return found === undefined ? [] : [`${found.trim()}: ${why}`];
    }),
    ...demanding.map((column) => `${column}: demands a value that the version before does not write`),
    ...unique.map(([index]) => `${index.trim()}: demands something of all rows`),
  ];
}
