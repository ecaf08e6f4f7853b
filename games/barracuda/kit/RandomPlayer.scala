// Plays anything that the rules allow. Replace the two choices by your own.

import scala.util.Random

object RandomPlayer extends Barracuda.Player {
  /** A card of the hand, or a challenge where one may be offered. */
  def chooseCard(state: Barracuda.State): Barracuda.Choice =
    if (state.canChallenge && Random.nextDouble() < 0.05) Barracuda.OfferChallenge
    else Barracuda.Card(state.hand(Random.nextInt(state.hand.length)))

  /** Whether to accept the challenge that the other player has offered. */
  def answerChallenge(state: Barracuda.State): Boolean = Random.nextBoolean()

  def main(words: Array[String]): Unit = Barracuda.run(this, words)
}
