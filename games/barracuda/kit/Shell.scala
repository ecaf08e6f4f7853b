// An empty player: your strategy goes here. As it stands it plays its highest card and rejects every challenge.

object Shell extends Barracuda.Player {
  def chooseCard(state: Barracuda.State): Barracuda.Choice = Barracuda.Card(state.hand.head)

  def answerChallenge(state: Barracuda.State): Boolean = false

  /** Such as Outcome("trick_won", by = Some(1), card = Some(13), ...); `by` holds `me` when it was you. */
  override def hearResult(outcome: Barracuda.Outcome): Unit = ()

  def main(words: Array[String]): Unit = Barracuda.run(this, words)
}
