/*
 * IntensityKit.scala - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
 * puts its own copy beside your file.
 *
 * You write four methods (Shell.scala describes them):
 *
 *     playerName   chooseDiscards   chooseCard   runUnitTests
 *
 * main hands your object to IntensityKit.run, which reads the question, calls the method that is wanted, and prints what it
 * returns. Your program is started again for every question: nothing is left of the question before.
 *
 * Print nothing to standard output: it belongs to the answer. Debug with Console.err.println; only your team can read that
 * afterwards.
 */
object IntensityKit {
  val Buffalo = 47 // cards are numbers, 10 ... 49

  /** What you write. */
  trait Player {
    /** At most 32 characters. */
    def playerName: String

    /** The three cards of your hand that go to the player on your left. */
    def chooseDiscards(hand: List[Int]): List[Int]

    /** The card that you play. */
    def chooseCard(question: Question): Int

    /** What the contest runs when it checks your program. */
    def runUnitTests(): Unit
  }

  def isCalf(card: Int): Boolean = card >= 30 && card <= 39

  /** What a card costs the player who wins its round. */
  def penalty(card: Int): Int = if (card == Buffalo) 7 else if (isCalf(card)) 1 else 0

  /** A card, and who played it. */
  case class Play(position: Int, card: Int)

  /** Who wins a round, given in the order of play. */
  def winner(round: List[Play]): Int =
    round.filter(_.card / 10 == round.head.card / 10).maxBy(_.card).position

  private def inTurn(first: Int, cards: List[Int]): List[Play] =
    cards.zipWithIndex.map { case (card, turn) => Play((first + turn) % 4, card) }

  /**
   * Everything you know when a card is due. Lists are in the order of play, hands and discards in increasing order.
   *
   * @param position your place at the table, 0 ... 3
   * @param table the cards of this round so far; empty: you lead
   * @param played the cards of all rounds before
   * @param discarded what you gave to the player on your left, (position + 1) % 4
   * @param received what you got from the player on your right
   */
  case class Question(
      position: Int,
      hand: List[Int],
      table: List[Int] = Nil,
      played: List[Int] = Nil,
      discarded: List[Int] = Nil,
      received: List[Int] = Nil) {

    /** Whether a calf was played in an earlier round, so that calves may be led. */
    def calfPlayed: Boolean = played.exists(isCalf)

    /** The cards that you may play, in increasing order. */
    def legal: List[Int] = {
      val found = hand.filter { card =>
        if (table.isEmpty) calfPlayed || !isCalf(card) else card / 10 == table.head / 10
      }
      if (found.isEmpty) hand else found
    }

    /** The rounds before this one, in the order of play. */
    def rounds: List[List[Play]] =
      played.grouped(4).foldLeft(List.empty[List[Play]]) { (before, cards) =>
        inTurn(if (before.isEmpty) 0 else winner(before.head), cards) :: before
      }.reverse

    /** The cards of this round so far. */
    def onTheTable: List[Play] = inTurn(position + 4 - table.size, table)
  }

  /** Random numbers: different in every run, unless the environment variable INTENSITY_SEED holds a number. */
  lazy val random: scala.util.Random =
    sys.env.get("INTENSITY_SEED").fold(new scala.util.Random)(seed => new scala.util.Random(seed.toLong))

  /** Answer the question on standard input. */
  def run(player: Player): Unit = {
    val numbers = new java.util.Scanner(System.in)
    def take(count: Int): List[Int] = List.fill(count)(numbers.nextInt())
    take(1).head match {
      case 0 => println(player.playerName)
      case 1 => println(player.chooseDiscards(take(10)).mkString(" "))
      case 2 =>
        val List(held, lying, position) = take(3)
        println(player.chooseCard(Question(position, take(held), take(lying), take(4 * (10 - held)), take(3), take(3))))
      case _ => player.runUnitTests()
    }
  }
}
