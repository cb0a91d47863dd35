import { expect } from 'chai';
import { browserWords } from '../../services/api/endpoints/session/browser-words.ts';

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0';

const AGENTS: [agent: string, browser: string | null, system: string | null][] = [
  [`(Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/141.0.0.0`, 'Edge', 'Windows'],
  [`(Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 OPR/120.0.0.0`, 'Opera', 'Windows'],
  [`(X11; Linux x86_64) ${CHROME} Safari/537.36`, 'Chrome', 'Linux'],
  [`(X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`, 'Chrome', 'ChromeOS'],
  ['(Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox', 'Android'],
  [
    `(Linux; Android 14) AppleWebKit/537.36 SamsungBrowser/28.0 Chrome/130.0 Safari/537.36`,
    'Samsung Internet',
    'Android',
  ],
  [`(Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/18.5 Safari/605.1.15`, 'Safari', 'macOS'],
  [`(iPhone; CPU iPhone OS 18_5 like Mac OS X) ${APPLE} CriOS/141.0 Mobile Safari/604.1`, 'Chrome', 'iOS'],
  [`(iPad; CPU OS 18_5 like Mac OS X) ${APPLE} Version/18.5 Mobile Safari/604.1`, 'Safari', 'iPadOS'],
  ['curl/8.14.1', null, null],
  ['', null, null],
  [`${'x'.repeat(600)} Firefox/140.0`, null, null],
];

describe('the words for a browser and its system', () => {
  it('each kind of browser has its own word, whatever others it names', () => {
    const words = AGENTS.map(([agent]) => browserWords(agent && `Mozilla/5.0 ${agent}`));
    expect(words).to.deep.equal(AGENTS.map(([, browser, system]) => ({ browser, system })));
  });
});
