import { describeEmbedder } from '../embedding/embedder.suite.ts'
import { fakeEmbedder } from './fake-embedder.ts'

describeEmbedder('fake', async () => fakeEmbedder())
