"""Six titles that a person may own, and the one of many unlike abstracts that fits them must come first."""

import os
from pathlib import Path

import pytest

from paperrec.paper import Paper
from paperrec.pipeline import recommend
from paperrec.ports import Context, open_source

SEEDS = Path(os.environ.get("PAPERREC_SHARED", Path(__file__).parents[2] / "shared")) / "seeds"
pytestmark = pytest.mark.skipif(not SEEDS.is_dir(), reason="the seed abstracts are not here")

# (first figures of the file's name, number of the abstract in it) -> titles on its subject
LIBRARIES = {
    ("000", 2): """
        Towards Making Systems Forget with Machine Unlearning
        Machine Unlearning
        Certified Data Removal from Machine Learning Models
        Reinforcement Unlearning
        Near-optimal Regret Bounds for Reinforcement Learning
        Minimax Regret Bounds for Reinforcement Learning""",
    ("000", 3): """
        Longformer: The Long-Document Transformer
        Big Bird: Transformers for Longer Sequences
        Generating Long Sequences with Sparse Transformers
        Reformer: The Efficient Transformer
        Efficient Streaming Language Models with Attention Sinks
        FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness""",
    ("000", 6): """
        Optimal Auction Design
        Counterspeculation, Auctions, and Competitive Sealed Tenders
        Correlated and Coarse Equilibria of Single-Item Auctions
        Subjectivity and Correlation in Randomized Strategies
        Learning to Bid Optimally and Efficiently in Adversarial First-price Auctions
        From External to Internal Regret""",
    ("000", 8): """
        Dafny: An Automatic Program Verifier for Functional Correctness
        Verus: Verifying Rust Programs using Linear Ghost Types
        The Lean 4 Theorem Prover and Programming Language
        Clover: Closed-Loop Verifiable Code Generation
        DafnyBench: A Benchmark for Formal Software Verification
        Evaluating Large Language Models Trained on Code""",
    ("000", 9): """
        Ab-Initio Solution of the Many-Electron Schrödinger Equation with Deep Neural Networks
        Deep-neural-network solution of the electronic Schrödinger equation
        Accurate computation of quantum excited states with neural networks
        Ab initio quantum chemistry with neural-network wavefunctions
        Electronic excited states in deep variational Monte Carlo
        Solving the quantum many-body problem with artificial neural networks""",
    ("000", 10): """
        wav2vec 2.0: A Framework for Self-Supervised Learning of Speech Representations
        WavLM: Large-Scale Self-Supervised Pre-Training for Full Stack Speech Processing
        IEMOCAP: interactive emotional dyadic motion capture database
        emotion2vec: Self-Supervised Pre-Training for Speech Emotion Representation
        SALMONN: Towards Generic Hearing Abilities for Large Language Models
        Speech emotion recognition: two decades in a nutshell, benchmarks, and ongoing trends""",
    ("000", 16): """
        Adam: A Method for Stochastic Optimization
        Shampoo: Preconditioned Stochastic Tensor Optimization
        Muon is Scalable for LLM Training
        SOAP: Improving and Stabilizing Shampoo using Adam
        Decoupled Weight Decay Regularization
        Symbolic Discovery of Optimization Algorithms""",
    ("001", 11): """
        Multiple Physics Pretraining for Spatiotemporal Surrogate Models
        Poseidon: Efficient Foundation Models for PDEs
        Fourier Neural Operator for Parametric Partial Differential Equations
        The Well: a Large-Scale Collection of Diverse Physics Simulations for Machine Learning
        Learning to Simulate Complex Physics with Graph Networks
        DPOT: Auto-Regressive Denoising Operator Transformer for Large-Scale PDE Pre-Training""",
    ("001", 16): """
        Semi-Supervised Classification with Graph Convolutional Networks
        Convolutional Neural Networks on Graphs with Fast Localized Spectral Filtering
        Spectral Networks and Locally Connected Networks on Graphs
        How Powerful are Spectral Graph Neural Networks
        Diffusion Improves Graph Learning
        On the Bottleneck of Graph Neural Networks and its Practical Implications""",
    ("001", 19): """
        DeepCAD: A Deep Generative Network for Computer-Aided Design Models
        Text2CAD: Generating Sequential CAD Models from Beginner-to-Expert Level Text Prompts
        SketchGraphs: A Large-Scale Dataset for Modeling Relational Geometry in Computer-Aided Design
        BRepNet: A Topological Message Passing System for Solid Models
        Fusion 360 Gallery: A Dataset and Environment for Programmatic CAD Construction from Human Design Sequences
        BrepGen: A B-rep Generative Diffusion Model with Structured Latent Geometry""",
    ("004", 10): """
        Video Diffusion Models
        Align your Latents: High-Resolution Video Synthesis with Latent Diffusion Models
        StreamingT2V: Consistent, Dynamic, and Extendable Long Video Generation from Text
        FreeNoise: Tuning-Free Longer Video Diffusion via Noise Rescheduling
        Diffusion Forcing: Next-token Prediction Meets Full-Sequence Diffusion
        Make-A-Video: Text-to-Video Generation without Text-Video Data""",
    ("004", 11): """
        On the Automatic Generation of Medical Imaging Reports
        Generating Radiology Reports via Memory-driven Transformer
        Gradient Surgery for Multi-Task Learning
        Conflict-Averse Gradient Descent for Multi-task Learning
        MIMIC-CXR, a de-identified publicly available database of chest radiographs with free-text reports
        Cross-modal Memory Networks for Radiology Report Generation""",
    ("004", 14): """
        3D Gaussian Splatting for Real-Time Radiance Field Rendering
        4D Gaussian Splatting for Real-Time Dynamic Scene Rendering
        Deformable 3D Gaussians for High-Fidelity Monocular Dynamic Scene Reconstruction
        NeRF: Representing Scenes as Neural Radiance Fields for View Synthesis
        Dynamic 3D Gaussians: Tracking by Persistent Dynamic View Synthesis
        Nerfies: Deformable Neural Radiance Fields""",
    ("004", 17): """
        On Pearl's Hierarchy and the Foundations of Causal Inference
        Probabilistic Reasoning Across the Causal Hierarchy
        Is Causal Reasoning Harder than Probabilistic Reasoning?
        Fixed-Parameter Tractability and Completeness
        Treewidth: Computations and Approximations
        The Complexity of Satisfiability Problems""",
    ("004", 18): """
        Through-Wall Human Pose Estimation Using Radio Signals
        mmPose: Real-Time Human Skeletal Posture Estimation using mmWave Radars and CNNs
        HuPR: A Benchmark for Human Pose Estimation Using Millimeter Wave Radar
        mmBody Benchmark: 3D Body Reconstruction Dataset and Analysis for Millimeter Wave Radar
        Can WiFi Estimate Person Pose?
        RF-Based 3D Skeletons""",
    ("004", 19): """
        Auto-Encoding Variational Bayes
        Categorical Reparameterization with Gumbel-Softmax
        The Concrete Distribution: A Continuous Relaxation of Discrete Random Variables
        Poisson Variational Autoencoder
        Spatio-temporal correlations and visual signalling in a complete neuronal population
        Black-box inference of latent dynamics from spike trains""",
}


@pytest.mark.parametrize(("file", "number"), LIBRARIES)
def test_six_titles_bring_the_abstract_on_their_subject_to_the_top(file: str, number: int) -> None:
    titles = [line.strip() for line in LIBRARIES[file, number].strip().splitlines()]
    library = [Paper(key=str(n), title=title) for n, title in enumerate(titles)]
    seeds = open_source(f"abstracts:{SEEDS}", Context()).read().papers
    best = recommend(library, seeds, limit=1)[0].paper.key
    assert (best[:3], int(best.rpartition(":")[2])) == (file, number)
