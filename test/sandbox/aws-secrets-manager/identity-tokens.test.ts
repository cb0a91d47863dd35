import { expect } from 'chai';
import { startTokenIssuer } from '../../support/token-issuer.ts';
import { startCloud1SmFake } from './fake.ts';

const ROLE = 'arn:aws:iam::123456789012:role/sealift';

describe('the stand-in for AWS STS', () => {
  it('a refused identity token is told with the claim that it lacks', async () => {
    const [tokens, fake] = await Promise.all([startTokenIssuer(), startCloud1SmFake()]);
    const { issuer } = tokens;
    fake.addRole({ arn: ROLE, trust: { issuer, audience: 'sts.amazonaws.com', subject: 'one' } });
    const assume = async (claims: object) => {
      const token = await tokens.identityOf('one', 'sts.amazonaws.com', { claims }).token();
      const body = new URLSearchParams({
        Action: 'AssumeRoleWithWebIdentity',
        Version: '2011-06-15',
        RoleArn: ROLE,
        RoleSessionName: 'one',
        DurationSeconds: '3600',
        WebIdentityToken: token,
      });
      const answer = await fetch(fake.url, { method: 'POST', body });
      return `${answer.status} ${await answer.text()}`;
    };
    expect(await assume({})).to.match(/^200 /);
    expect(await assume({ jti: undefined })).to.include('The token is not valid (claim jti)');
    expect(await assume({ aud: ['sts.amazonaws.com'] })).to.include('The token is not valid (claim aud)');
    tokens.close();
    await fake.close();
  });
});
