import { expect } from 'chai';
import { applyEdit, describeText, shownOf } from '../../services/console/src/kit/text/line-ends.ts';

/** A random text of few letters, so that edits have several places where they could be. */
function textOf(random: () => number): string {
  const parts = ['\r\n', '\n', '\r', 'a', 'b'];
  return Array.from({ length: Math.floor(random() * 8) }, () => parts[Math.floor(random() * 5)]).join('');
}

describe('the line ends of a text in a text area', () => {
  it('whatever is pasted wherever, the text is what it was with the pasted text in it', () => {
    let state = 7;
    const random = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
    for (let turn = 0; turn < 20_000; turn += 1) {
      const [before, pasted, after] = [textOf(random), textOf(random), textOf(random)];
      const exact = before + pasted + after;
      // Where a CR meets an LF, one line end becomes of two: a text area cannot tell.
      const joined = [before, pasted, after].map(shownOf).join('');
      if (shownOf(exact) !== joined || shownOf(before + after) !== shownOf(before) + shownOf(after)) continue;
      const end = (shownOf(before) + shownOf(pasted)).length;
      const context = JSON.stringify([before, pasted, after]);
      expect(applyEdit(before + after, joined, { text: pasted, end }), context).to.equal(exact);
    }
  });

  it('an edit of a text with CR LF leaves the rest as it is', () => {
    expect(applyEdit('a\r\nb\r\n', 'a\nxb\n')).to.equal('a\r\nxb\r\n');
    expect(applyEdit('a\r\nb\r\n', 'a\nb\nc\n')).to.equal('a\r\nb\r\nc\r\n');
    expect(applyEdit('a\r\nb\n', 'a\nb\nc\n')).to.equal('a\r\nb\nc\n');
    expect(applyEdit('a\nb', 'a\nbc')).to.equal('a\nbc');
    expect(applyEdit('a\r\nb', '')).to.equal('');
  });

  it('a field with dots says in words how long its text is, and how it ends', () => {
    expect(describeText('')).to.equal('');
    expect(describeText('abc')).to.equal('3 characters');
    expect(describeText(' a\r\nb \n')).to.equal(
      '7 characters · 2 lines · ends with a line break · begins with a blank',
    );
    expect(describeText('a ')).to.equal('2 characters · ends with a blank');
  });
});
