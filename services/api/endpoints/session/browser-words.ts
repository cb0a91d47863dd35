type Words = [pattern: RegExp, word: string][];

// Most browsers also name those that they descend from, so the order matters.
const BROWSERS: Words = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+.* Safari\//, 'Safari'],
];

const SYSTEMS: Words = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPadOS'],
  [/\b(?:iPhone|iPod)\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

// A header may be long; the words stand at its beginning.
const MOST = 512;

/** The browser and the system that a `User-Agent` names, each as a word of ours; null if it names none that we know. */
export function browserWords(userAgent: string): { browser: string | null; system: string | null } {
  const text = userAgent.slice(0, MOST);
  return { browser: wordIn(text, BROWSERS), system: wordIn(text, SYSTEMS) };
}

function wordIn(text: string, words: Words): string | null {
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
