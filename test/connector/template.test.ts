import { expect } from 'chai';
import {
  checkTemplate,
  parseTemplate,
  PLACEHOLDERS,
  renderTemplate,
  type TemplateValues,
} from '../../libs/connector/template.ts';

const values = Object.fromEntries(PLACEHOLDERS.map((name) => [name, `<${name}>`])) as TemplateValues;

function render(source: string, over: Partial<TemplateValues> = {}): string {
  const parsed = parseTemplate(source);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return renderTemplate(parsed.template, { ...values, ...over });
}

function faultOf(source: string): string {
  const parsed = parseTemplate(source);
  return 'fault' in parsed ? parsed.fault : 'none';
}

describe('secret name templates', () => {
  it('a template replaces every placeholder and keeps what stands around it', () => {
    const source = PLACEHOLDERS.map((name, index) => (index % 2 ? `{{.${name}}}` : `{{  .${name}  }}`)).join(
      ' / ',
    );
    expect(render(source)).to.equal(PLACEHOLDERS.map((name) => `<${name}>`).join(' / '));
    expect(render('plain {text} is fine')).to.equal('plain {text} is fine');
  });

  it('pipes apply from left to right', () => {
    expect(render('{{ .SecretPath | uppercase }}', { SecretPath: 'App/db' })).to.equal('APP/DB');
    expect(render('{{.SecretPath|lowercase}}', { SecretPath: 'App/DB' })).to.equal('app/db');
    const source = '{{ .SecretPath | replace "/" "--" | uppercase | replace "DB" "" }}';
    expect(render(source, { SecretPath: 'a/db/db' })).to.equal('A----');
  });

  it('texts of `replace` are literal, with \\" and \\\\ for a quote and a backslash', () => {
    expect(render('{{ .SecretKey | replace "." "$&" }}', { SecretKey: 'a.b' })).to.equal('a$&b');
    expect(render('{{ .SecretKey | replace "\\"" "}}" }}', { SecretKey: 'a"b' })).to.equal('a}}b');
    expect(render('{{ .SecretKey | replace "\\\\" "/" }}', { SecretKey: 'a\\b' })).to.equal('a/b');
  });

  it('values are not read as templates', () => {
    expect(render('{{ .SecretPath }}', { SecretPath: '{{ .SecretKey }}' })).to.equal('{{ .SecretKey }}');
  });

  it('a refusal names the placeholders there are when one is unknown', () => {
    expect(faultOf('{{ .InvalidTemplate }}')).to.match(
      /unknown placeholder \.InvalidTemplate.*MountAccessor.*SecretKey/,
    );
    expect(faultOf('{{ .secretpath }}')).to.contain('unknown placeholder');
    expect(faultOf('{{ .constructor }}')).to.contain('unknown placeholder');
  });

  it('a refusal names the pipes there are when one is unknown or misused', () => {
    expect(faultOf('{{ .SecretPath | trim }}')).to.contain('uppercase, lowercase and replace "a" "b"');
    for (const pipe of ['replace', 'replace "a"', 'replace a b', 'replace "" "b"', "replace 'a' 'b'"]) {
      expect(faultOf(`{{ .SecretPath | ${pipe} }}`), pipe).to.contain('replace needs two texts');
    }
  });

  it('a template whose syntax cannot be read is refused', () => {
    const broken = [
      '{{ .SecretPath',
      '.SecretPath }}',
      '{{ }}',
      '{{ SecretPath }}',
      '{{ .SecretPath | }}',
      '{{ if .X }}',
    ];
    for (const source of [
      ...broken,
      '{{- .SecretPath -}}',
      '{{ .SecretPath .SecretKey }}',
      '{{{{ .SecretPath }}',
    ]) {
      expect(faultOf(source), source).to.match(/external name template/);
    }
    expect(faultOf(' ')).to.contain('must not be empty');
    expect(faultOf('x'.repeat(1025))).to.contain('1024');
  });

  it('a template cannot be made to grow without limit', () => {
    const source = '{{ .SecretKey' + ' | replace "a" "aaaaaaaaaa"'.repeat(30) + ' }}';
    expect(render(source, { SecretKey: 'a' })).to.have.length.lessThan(1_000_000);
  });

  it('a template must refer to the key exactly where each key has an entry of its own', () => {
    const fault = checkTemplate('sealift/{{ .SecretPath }}', 'secret-key');
    expect(fault).to.contain('external name template should contain reference to the secret key');
    expect(checkTemplate('{{ .SecretPath }}_{{ .SecretKey }}', 'secret-key')).to.equal(null);
    expect(checkTemplate('{{ .SecretPath }}', 'secret-path')).to.equal(null);
    expect(checkTemplate('{{ .SecretKey }}', 'secret-path')).to.contain('secret-path');
  });
});
