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
    ("000", 7): """
        Scaling Laws for Neural Language Models
        Training Compute-Optimal Large Language Models
        Explaining Neural Scaling Laws
        A Neural Scaling Law from the Dimension of the Data Manifold
        The Quantization Model of Neural Scaling
        Deep Learning Scaling is Predictable, Empirically""",
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
    ("000", 14): """
        Understanding Black-box Predictions via Influence Functions
        TRAK: Attributing Model Behavior at Scale
        Datamodels: Predicting Predictions from Training Data
        Data Shapley: Equitable Valuation of Data for Machine Learning
        Influence Functions in Deep Learning Are Fragile
        Studying Large Language Model Generalization with Influence Functions""",
    ("000", 15): """
        Deep Residual Learning for Image Recognition
        Identity Mappings in Deep Residual Networks
        Hyper-Connections
        Densely Connected Convolutional Networks
        Highway Networks
        ReZero is All You Need: Fast Convergence at Large Depth""",
    ("000", 16): """
        Adam: A Method for Stochastic Optimization
        Shampoo: Preconditioned Stochastic Tensor Optimization
        Muon is Scalable for LLM Training
        SOAP: Improving and Stabilizing Shampoo using Adam
        Decoupled Weight Decay Regularization
        Symbolic Discovery of Optimization Algorithms""",
    ("000", 17): """
        3D Equivariant Diffusion for Target-Aware Molecule Generation and Affinity Prediction
        Structure-based Drug Design with Equivariant Diffusion Models
        DecompDiff: Diffusion Models with Decomposed Priors for Structure-Based Drug Design
        Pocket2Mol: Efficient Molecular Sampling Based on 3D Protein Pockets
        A 3D Generative Model for Structure-Based Drug Design
        DiffDock: Diffusion Steps, Twists, and Turns for Molecular Docking""",
    ("000", 18): """
        Equality of Opportunity in Supervised Learning
        On Fairness and Calibration
        A Reductions Approach to Fair Classification
        Fairness Constraints: Mechanisms for Fair Classification
        Optimized Score Transformation for Fair Classification
        The Cost of Fairness in Binary Classification""",
    ("000", 19): """
        RT-2: Vision-Language-Action Models Transfer Web Knowledge to Robotic Control
        OpenVLA: An Open-Source Vision-Language-Action Model
        π0: A Vision-Language-Action Flow Model for General Robot Control
        Robotic Control via Embodied Chain-of-Thought Reasoning
        CoT-VLA: Visual Chain-of-Thought Reasoning for Vision-Language-Action Models
        Octo: An Open-Source Generalist Robot Policy""",
    ("001", 2): """
        Sleeper Agents: Training Deceptive LLMs that Persist Through Safety Training
        BadNets: Identifying Vulnerabilities in the Machine Learning Model Supply Chain
        Neural Cleanse: Identifying and Mitigating Backdoor Attacks in Neural Networks
        Poisoning Language Models During Instruction Tuning
        Universal Jailbreak Backdoors from Poisoned Human Feedback
        Fine-Pruning: Defending Against Backdooring Attacks on Deep Neural Networks""",
    ("001", 5): """
        Palu: Compressing KV-Cache with Low-Rank Projection
        KIVI: A Tuning-Free Asymmetric 2bit Quantization for KV Cache
        H2O: Heavy-Hitter Oracle for Efficient Generative Inference of Large Language Models
        Efficient Memory Management for Large Language Model Serving with PagedAttention
        Eigen Attention: Attention in Low-Rank Space for KV Cache Compression
        LoRC: Low-Rank Compression for LLMs KV Cache with a Progressive Compression Strategy""",
    ("001", 6): """
        Learning Transferable Visual Models From Natural Language Supervision
        When and Why Vision-Language Models Behave like Bags-of-Words, and What to Do About It?
        Winoground: Probing Vision and Language Models for Visio-Linguistic Compositionality
        Does CLIP Bind Concepts? Probing Compositionality in Large Image Models
        CREPE: Can Vision-Language Foundation Models Reason Compositionally?
        Sigmoid Loss for Language Image Pre-Training""",
    ("001", 7): """
        Follow-the-Regularized-Leader and Mirror Descent: Equivalence Theorems and L1 Regularization
        Cycles in Adversarial Regularized Learning
        Potential Games
        Multiplicative Weights Update with Constant Step-Size in Congestion Games: Convergence, Limit Cycles and Chaos
        Online Convex Programming and Generalized Infinitesimal Gradient Ascent
        Introduction to Online Convex Optimization""",
    ("001", 8): """
        Large Language Diffusion Models
        Block Diffusion: Interpolating Between Autoregressive and Diffusion Language Models
        d1: Scaling Reasoning in Diffusion Large Language Models via Reinforcement Learning
        Train for the Worst, Plan for the Best: Understanding Token Ordering in Masked Diffusions
        Dream 7B: Diffusion Large Language Models
        Diffusion of Thought: Chain-of-Thought Reasoning in Diffusion Language Models""",
    ("001", 9): """
        Cross-validation Confidence Intervals for Test Error
        Cross-Validation: What Does It Estimate and How Well Does It Do It?
        Cross-Validation with Confidence
        A survey of cross-validation procedures for model selection
        Asymptotics of Cross-Validation
        Stability and Generalization""",
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
    ("001", 18): """
        Decision Transformer: Reinforcement Learning via Sequence Modeling
        Offline Meta-Reinforcement Learning with Advantage Weighting
        Prompting Decision Transformer for Few-Shot Policy Generalization
        RL2: Fast Reinforcement Learning via Slow Reinforcement Learning
        Efficient Off-Policy Meta-Reinforcement Learning via Probabilistic Context Variables
        FOCAL: Efficient Fully-Offline Meta-Reinforcement Learning via Distance Metric Learning and Behavior Regularization""",
    ("001", 19): """
        DeepCAD: A Deep Generative Network for Computer-Aided Design Models
        Text2CAD: Generating Sequential CAD Models from Beginner-to-Expert Level Text Prompts
        SketchGraphs: A Large-Scale Dataset for Modeling Relational Geometry in Computer-Aided Design
        BRepNet: A Topological Message Passing System for Solid Models
        Fusion 360 Gallery: A Dataset and Environment for Programmatic CAD Construction from Human Design Sequences
        BrepGen: A B-rep Generative Diffusion Model with Structured Latent Geometry""",
    ("004", 2): """
        Sparse Autoencoders Find Highly Interpretable Features in Language Models
        Towards Monosemanticity: Decomposing Language Models With Dictionary Learning
        Scaling and evaluating sparse autoencoders
        Toy Models of Superposition
        Scaling Monosemanticity: Extracting Interpretable Features from Claude 3 Sonnet
        Sparse Feature Circuits: Discovering and Editing Interpretable Causal Graphs in Language Models""",
    ("004", 4): """
        Quantum algorithm for linear systems of equations
        Quantum Algorithm for Data Fitting
        Prediction by linear regression on a quantum computer
        Quantum principal component analysis
        Quantum Machine Learning
        Fast quantum algorithms for Least Squares Regression and Statistic Leverage Scores""",
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
    ("004", 12): """
        ATISS: Autoregressive Transformers for Indoor Scene Synthesis
        DiffuScene: Denoising Diffusion Models for Generative Indoor Scene Synthesis
        Holodeck: Language Guided Generation of 3D Embodied AI Environments
        LayoutGPT: Compositional Visual Planning and Generation with Large Language Models
        3D-FRONT: 3D Furnished Rooms with layOuts and semaNTics
        SceneFormer: Indoor Scene Generation with Transformers""",
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
