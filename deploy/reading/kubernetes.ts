// Reads the Kubernetes manifest: its documents by kind, each checked for the shape that the tests rely on.
import { type Static, type TSchema, Type } from 'typebox'
import { parseAllDocuments } from 'yaml'
import { held, Texts, textOf } from './text.ts'

const Named = Type.Object({ name: Type.String() })
const Probe = Type.Object({
  httpGet: Type.Object({ path: Type.String(), port: Type.String() }),
})

/** A variable with a reference to a secret and no value of its own. */
const SecretVariable = Type.Object(
  {
    name: Type.String(),
    valueFrom: Type.Object({
      secretKeyRef: Type.Object({ name: Type.String(), key: Type.String() }),
    }),
  },
  { additionalProperties: false },
)

const Deployment = Type.Object({
  kind: Type.Literal('Deployment'),
  spec: Type.Object({
    replicas: Type.Integer(),
    selector: Type.Object({ matchLabels: Texts }),
    template: Type.Object({
      metadata: Type.Object({ labels: Texts }),
      spec: Type.Object({
        enableServiceLinks: Type.Boolean(),
        terminationGracePeriodSeconds: Type.Integer(),
        securityContext: Type.Object({
          runAsNonRoot: Type.Boolean(),
          runAsUser: Type.Integer(),
        }),
        containers: Type.Tuple([
          Type.Object({
            image: Type.String(),
            ports: Type.Tuple([
              Type.Object({ name: Type.String(), containerPort: Type.Integer() }),
            ]),
            envFrom: Type.Tuple([Type.Object({ configMapRef: Named })]),
            env: Type.Tuple([SecretVariable]),
            securityContext: Type.Object({
              allowPrivilegeEscalation: Type.Boolean(),
              readOnlyRootFilesystem: Type.Boolean(),
            }),
            startupProbe: Probe,
            readinessProbe: Probe,
            livenessProbe: Probe,
            lifecycle: Type.Object({
              preStop: Type.Object({
                exec: Type.Object({
                  command: Type.Tuple([Type.Literal('sleep'), Type.String()]),
                }),
              }),
            }),
          }),
        ]),
      }),
    }),
  }),
})

const ConfigMap = Type.Object({ kind: Type.Literal('ConfigMap'), metadata: Named, data: Texts })

const Service = Type.Object({
  kind: Type.Literal('Service'),
  spec: Type.Object({
    selector: Texts,
    ports: Type.Tuple([Type.Object({ targetPort: Type.String() })]),
  }),
})

const DisruptionBudget = Type.Object({
  kind: Type.Literal('PodDisruptionBudget'),
  spec: Type.Object({
    minAvailable: Type.Integer(),
    selector: Type.Object({ matchLabels: Texts }),
  }),
})

/** The Kubernetes manifest, one of each kind. */
export function readKubernetes() {
  const documents = parseAllDocuments(textOf('deploy/kubernetes.yaml')).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0]
    return held(Type.Object({ kind: Type.String() }), document.toJS())
  })
  const the = <Schema extends TSchema>(schema: Schema, kind: string): Static<Schema> =>
    held(
      schema,
      documents.find((document) => document.kind === kind),
    )
  const pods = the(Deployment, 'Deployment').spec
  return {
    kinds: documents.map(({ kind }) => kind),
    config: the(ConfigMap, 'ConfigMap'),
    pods,
    container: pods.template.spec.containers[0],
    service: the(Service, 'Service').spec,
    budget: the(DisruptionBudget, 'PodDisruptionBudget').spec,
  }
}
