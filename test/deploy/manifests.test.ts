import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderChart, tryValues, type Manifest, type Rendering } from '../../deploy/check/chart.ts';
import { readCompose } from '../../deploy/check/compose.ts';
import { findManifestFaults } from '../../deploy/check/kubernetes.ts';
import { listConnectorTypes, listProcesses } from '../../deploy/check/processes.ts';
import { systemdFolder } from '../../deploy/check/systemd.ts';
import { connect } from '../../libs/db/connect.ts';
import { createDatabase } from '../support/database.ts';
import { componentOf, podsOf, specOf, type Peer, type Policy, type Scaled } from './support/manifests.ts';

describe('the chart', () => {
  let renderings: Rendering[];

  const ofKind = (variant: string, kind: string): Manifest[] =>
    (renderings.find((one) => one.variant === variant)?.manifests ?? []).filter((one) => one.kind === kind);

  before(async () => {
    renderings = await renderChart();
  });

  it('the chart has one Deployment for each process, each connector type with its own', () => {
    const started = ofKind('defaults', 'Deployment').flatMap((one) =>
      (podsOf(one)?.containers ?? []).flatMap(({ args }) => args),
    );
    expect(started.sort()).to.deep.equal(listProcesses());
  });

  it('the chart makes no pod that may write its image, be root or gain privileges', () => {
    for (const { manifests } of renderings) {
      for (const pod of manifests.flatMap((manifest) => podsOf(manifest) ?? [])) {
        expect(pod.automountServiceAccountToken).to.equal(false);
        expect(pod.securityContext).to.include({ runAsNonRoot: true, runAsUser: 1000 });
        for (const { securityContext } of pod.containers) {
          expect(securityContext).to.deep.equal({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
        }
      }
    }
  });

  it('the chart holds no secret: credentials come from a Secret that it refers to', () => {
    for (const { manifests } of renderings) {
      expect(manifests.filter(({ kind }) => kind === 'Secret')).to.deep.equal([]);
      for (const { env } of manifests.flatMap((manifest) => podsOf(manifest)?.containers ?? [])) {
        const given = env.filter(({ name }) => /^(?:DATABASE_URL|AMQP_URL|SEALIFT_.*KEYS?)$/.test(name));
        expect(given).to.have.length.above(1);
        for (const { name, value } of given) expect(value, name).to.equal(undefined);
      }
    }
  });

  it('the chart gives credentials files to the connector that reads them alone', () => {
    for (const deployment of ofKind('exposed.yaml', 'Deployment')) {
      const { volumes = [], containers = [] } = podsOf(deployment) ?? {};
      expect(volumes.find(({ name }) => name === 'credentials')?.secret?.secretName).to.equal('google-keys');
      expect(podsOf(deployment)?.labels, 'podLabels').to.include({ 'vault-client': 'true' });
      for (const { env, volumeMounts } of containers) {
        const folder = env.find(({ name }) => name === 'CREDENTIALS_DIR')?.value;
        expect(folder).to.equal('/run/secrets/credentials');
        const mounted = volumeMounts.some(({ mountPath }) => mountPath === folder);
        expect(mounted).to.equal(componentOf(deployment) === 'connector-cloud3-sm');
      }
    }
    for (const { env } of ofKind('defaults', 'Deployment').flatMap((one) => podsOf(one)?.containers ?? []))
      expect(env.map(({ name }) => name)).to.not.include('CREDENTIALS_DIR');
  });

  it('the chart waits for a process that is stopped as long as it may take', () => {
    const graceOf = (variant: string) =>
      new Set(ofKind(variant, 'Deployment').map((one) => podsOf(one)?.terminationGracePeriodSeconds));
    expect([...graceOf('defaults')]).to.deep.equal([35]);
    expect([...graceOf('exposed.yaml')], 'with SHUTDOWN_TIMEOUT at 45.5 s').to.deep.equal([61]);
  });

  it('the chart watches over every process and lets Prometheus find it', () => {
    for (const deployment of ofKind('defaults', 'Deployment')) {
      const pod = podsOf(deployment);
      for (const container of pod?.containers ?? []) {
        for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
          expect(probe?.httpGet?.port).to.equal('health');
        }
        expect(container.ports).to.deep.include({ name: 'health', containerPort: 9200 });
        expect(container.resources).to.have.keys('requests', 'limits');
      }
      expect(pod?.annotations).to.include({ 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9200' });
    }
  });

  it('the chart gives every Deployment a PodDisruptionBudget and a NetworkPolicy', () => {
    for (const kind of ['PodDisruptionBudget', 'NetworkPolicy']) {
      for (const deployment of ofKind('defaults', 'Deployment')) {
        const guards = ofKind('defaults', kind).filter(
          ({ metadata }) => metadata.name === deployment.metadata.name,
        );
        expect(guards, `${kind} of ${deployment.metadata.name}`).to.have.length(1);
        const selector = (guards[0] && specOf(guards[0])) as {
          selector?: object;
          podSelector?: { matchLabels: object };
        };
        const labels = (selector.selector as { matchLabels: object } | undefined) ?? selector.podSelector;
        expect(podsOf(deployment)?.labels).to.include(labels?.matchLabels);
      }
    }
  });

  it('only workers that call outside reach public addresses, and no pod private ones', () => {
    for (const policy of ofKind('defaults', 'NetworkPolicy')) {
      const { egress, policyTypes } = specOf(policy) as Policy;
      expect(policyTypes).to.deep.equal(['Ingress', 'Egress']);
      const peers: Peer[] = egress.flatMap(({ to = [] }) => to);
      const blocks = peers.flatMap(({ ipBlock }) => ipBlock ?? []);
      const component = componentOf(policy);
      const mayLeave =
        component.startsWith('connector-') || ['settings', 'key-maintenance'].includes(component);
      expect(blocks.length > 0, component).to.equal(mayLeave);
      for (const { cidr, except } of blocks.filter((block) => block.cidr === '0.0.0.0/0')) {
        expect(except, cidr).to.include.members([
          '10.0.0.0/8',
          '169.254.0.0/16',
          '172.16.0.0/12',
          '192.168.0.0/16',
        ]);
      }
      const open = egress
        .filter(({ to }) => to === undefined)
        .flatMap(({ ports }) => ports.map(({ port }) => port));
      expect(
        open.filter((port) => ![5432, 5672].includes(Number(port))),
        component,
      ).to.deep.equal([]);
    }
  });

  it('the chart opens the API only to those named, once they are', () => {
    const policy = ofKind('exposed.yaml', 'NetworkPolicy').find((one) => componentOf(one) === 'api');
    const { ingress = [] } = (policy && specOf(policy)) as Policy;
    expect(ingress).to.have.length(2);
    for (const { from } of ingress) expect(from).to.have.length(1);
  });

  it('the chart opens the way to webhooks, to a given collector and to a given key service', () => {
    const portsOf = (variant: string, component: string): unknown[] => {
      const policy = ofKind(variant, 'NetworkPolicy').find((one) => componentOf(one) === component);
      return ((policy && specOf(policy)) as Policy).egress.flatMap(({ ports }) =>
        ports.map(({ port }) => port),
      );
    };
    expect(portsOf('defaults', 'key-maintenance')).to.include(443).and.not.to.include(4318);
    expect(portsOf('exposed.yaml', 'key-maintenance')).to.include.members([443, 4318]);
    expect(portsOf('exposed.yaml', 'key-maintenance'), "a webhook of one's own").to.include(8443);
    expect(portsOf('defaults', 'api')).to.not.include.members([4318]);
    expect(portsOf('exposed.yaml', 'api')).to.include.members([4318, 8200]).and.to.not.include(443);
  });

  it('the chart migrates before anything of a new version starts', () => {
    const [job] = ofKind('defaults', 'Job');
    expect(job?.metadata.annotations).to.include({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    expect(job && podsOf(job)?.containers[0]?.args).to.deep.equal(['migrate']);
  });

  it('the chart scales each connector type on its own queue and its own due associations', async () => {
    const scaled = ofKind('autoscaled.yaml', 'ScaledObject');
    expect(scaled.map(componentOf).sort()).to.deep.equal(
      listConnectorTypes()
        .map((type) => `connector-${type}`)
        .sort(),
    );
    const database = await createDatabase();
    const db = connect({ url: database.url, poolSize: 1, name: 'test-manifests' });
    try {
      for (const one of scaled) {
        const { scaleTargetRef, triggers } = specOf(one) as Scaled;
        const type = componentOf(one).replace('connector-', '');
        const target = ofKind('autoscaled.yaml', 'Deployment').find(
          ({ metadata }) => metadata.name === scaleTargetRef.name,
        );
        expect(target && specOf(target), 'the autoscaler decides how many there are').to.not.have.property(
          'replicas',
        );
        const [queue, rows] = ['rabbitmq', 'postgresql'].map((kind) =>
          triggers.find((trigger) => trigger.type === kind),
        );
        expect(queue?.metadata['queueName']).to.equal(`sealift.connector.${type}`);
        const { rows: answer } = await db.raw<{ rows: { count: number }[] }>(rows?.metadata['query'] ?? '');
        expect(answer).to.deep.equal([{ count: 0 }]);
        expect(rows?.metadata['query']).to.include(`'${type}'`);
      }
    } finally {
      await db.destroy();
      await database.drop();
    }
  });

  it('the chart refuses values it does not know', async () => {
    const refused = await Promise.all(
      [
        ['api.replica=3'],
        ['config.DATABASE_URL=postgres://somebody'],
        ['network.database.port=postgres'],
        ['image.digest=latest'],
      ].map(tryValues),
    );
    for (const { code, output } of refused) expect(code, output).to.not.equal(0);
    expect((await tryValues(['api.replicas=3'])).code).to.equal(0);
  });

  it('the check of the chart finds a misspelt field and a wrong type', async () => {
    for (const [field, value] of [
      ['replicsa', 2],
      ['minReadySeconds', 'soon'],
    ] as const) {
      const [deployment] = structuredClone(ofKind('defaults', 'Deployment'));
      if (!deployment) throw new Error('the chart renders no Deployment');
      Object.assign(specOf(deployment), { [field]: value });
      const faults = await findManifestFaults([{ variant: 'broken', manifests: [deployment] }]);
      expect(faults.join('\n')).to.include(field).and.to.include('broken: Deployment');
    }
  });
});

describe('the compose file', () => {
  const { services, networks } = readCompose();
  const ours = Object.entries(services).filter(([name]) => !['postgres', 'rabbitmq'].includes(name));

  it('the compose file starts every process after the schema, and looks after its health', () => {
    const processes = ours.filter(([, { healthcheck }]) => healthcheck);
    expect(processes.flatMap(([, { command }]) => command ?? []).sort()).to.deep.equal(listProcesses());
    for (const [name, { depends_on: needed }] of processes) {
      expect(needed?.['migrate']?.condition, name).to.equal('service_completed_successfully');
      expect(needed?.['rabbitmq']?.condition, name).to.equal('service_healthy');
    }
  });

  it('the compose file gives no process a right it does not need', () => {
    for (const [name, service] of ours) {
      expect(service, name).to.include({ user: '1000:1000', read_only: true });
      expect(service, name).to.deep.include({ cap_drop: ['ALL'], secrets: ['master_key'] });
      expect(service.environment, name).to.not.have.property('SEALIFT_MASTER_KEY');
    }
  });

  it('the compose file takes from its .env what changes of the key and a proxy need', () => {
    for (const [name, { environment }] of ours) {
      expect(environment?.['SEALIFT_OLD_MASTER_KEYS'], name).to.equal('${SEALIFT_OLD_MASTER_KEYS:-}');
    }
    expect(services['api']?.environment?.['TRUST_PROXY']).to.equal('${TRUST_PROXY:-0}');
  });

  it('the compose file shows the credentials files to the connector that reads them alone', () => {
    const shown = ours.filter(([, { volumes = [], environment }]) =>
      volumes.includes(`./credentials:${environment?.['CREDENTIALS_DIR']}:ro`),
    );
    expect(shown.map(([name]) => name)).to.deep.equal(['connector-cloud3-sm']);
  });

  it('the compose file leads neither the API nor the set-up commands out of its own network', () => {
    expect(networks['inside']?.internal).to.equal(true);
    const leaving = Object.entries(services).filter(([, service]) => service.networks?.includes('outside'));
    const expected = listProcesses().filter((name) => name !== 'api');
    expect(leaving.map(([name]) => name).sort()).to.deep.equal(expected);
  });
});

describe('the units for a plain host', () => {
  it('the units start every process, each with a health port of its own', () => {
    const target = readFileSync(join(systemdFolder, 'sealift.target'), 'utf8');
    const wanted = [...target.matchAll(/sealift@([a-z0-9-]+)\.service/g)].map(([, name]) => name ?? '');
    expect(wanted.sort()).to.deep.equal(listProcesses());
    const ports = wanted.map((name) =>
      readFileSync(join(systemdFolder, `environment/${name}.env`), 'utf8').trim(),
    );
    expect(new Set(ports).size).to.equal(wanted.length);
    for (const port of ports) expect(port).to.match(/^HEALTH_PORT=\d+$/);
  });

  it('the units start every process also before the schema is up to date, and try that again', () => {
    const processUnit = readFileSync(join(systemdFolder, 'sealift@.service'), 'utf8');
    expect(processUnit).to.match(/^Wants=.*\bsealift-migrate\.service\b/m);
    expect(processUnit).to.not.match(/^(?:Requires|BindsTo|Requisite)=/m);
    const migration = readFileSync(join(systemdFolder, 'sealift-migrate.service'), 'utf8');
    expect(migration).to.match(/^Restart=on-failure$/m);
  });

  it('the units run the program that the image runs, as a user made for the occasion', () => {
    for (const name of readdirSync(systemdFolder).filter((file) => file.endsWith('.service'))) {
      const unit = readFileSync(join(systemdFolder, name), 'utf8');
      expect(unit, name).to.match(/^ExecStart=\/opt\/sealift\/sealift (?:%i|migrate)$/m);
      expect(unit, name)
        .to.match(/^DynamicUser=yes$/m)
        .and.to.match(/^ProtectSystem=strict$/m);
    }
    expect(existsSync(join(systemdFolder, '../container/sealift'))).to.equal(true);
  });
});
