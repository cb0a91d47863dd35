import { Notice } from '../../../kit/notice.tsx';
import { CertificateLines, faultOfCertificate, type Certificates } from './certificates.tsx';

/** Which certificate is about to be revoked, and whether the other one is valid now. */
export function Revocation({ certificates = {} }: { certificates: Certificates | undefined }) {
  const { 'idp-cert': current, 'old-idp-cert': former } = certificates;
  const fault = faultOfCertificate(current);
  return (
    <>
      <p>Sealift will no longer accept answers that are signed with this certificate:</p>
      {former ? <CertificateLines certificate={former} /> : null}
      {current && fault === '' ? (
        <>
          <p>The current certificate is valid and stays accepted:</p>
          <CertificateLines certificate={current} />
        </>
      ) : (
        <Notice tone="person">
          <p>
            <strong>
              {current ? `The current certificate ${fault}.` : 'The current certificate cannot be read.'} If
              the identity provider still signs with the former one, nobody will be able to sign in.
            </strong>
          </p>
          {current ? <CertificateLines certificate={current} /> : null}
        </Notice>
      )}
    </>
  );
}
